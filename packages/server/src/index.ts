export { createServer, type Server } from './create-server.ts';
export type {
  HouseServices,
  LineQuestion,
  ListenOptions,
  ProviderInfo,
  ServerOptions,
} from './server-options.ts';
