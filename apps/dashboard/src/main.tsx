import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onShutOut, refusalFrom } from './api/client.ts';
import { App } from './app.tsx';
import { enterByLink } from './frame/enter.ts';
import { startTheme } from './frame/theme.ts';
import { panelStore } from './workspace/panel-store.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/reset.css';
import './styles/page.css';
import './styles/shared.css';

const queries = new QueryClient({
  // Events report changes; refetching on focus would only flicker.
  defaultOptions: { queries: { staleTime: 5000, refetchOnWindowFocus: false, retry: 1 } },
});

startTheme();
await enterByLink().catch((error: unknown) => {
  panelStore.setLink({ kind: 'refused', refusal: refusalFrom(error) });
});
onShutOut((refusal) => panelStore.setLink({ kind: 'refused', refusal }));
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
