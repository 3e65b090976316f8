export { createServer, type OpenPort, type Server } from './create-server.ts';
export type {
  DashboardFiles,
  HouseServices,
  LineQuestion,
  ListenOptions,
  RuleDesk,
  ServerOptions,
} from './server-options.ts';
