export { createServer, type OpenPort, type Server } from './create-server.ts';
export { Hello, PROTOCOL } from './routes/hello-routes.ts';
export type {
  DashboardFiles,
  HouseServices,
  LineQuestion,
  ListenOptions,
  ProviderInfo,
  RuleDesk,
  RuleDraft,
  RuleFile,
  ServerOptions,
} from './server-options.ts';
