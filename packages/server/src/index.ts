export { createServer, type OpenPort, type Server } from './create-server.ts';
export type { Activity } from './watch-requests.ts';
export type {
  DashboardFiles,
  HouseServices,
  Lifecycle,
  LineQuestion,
  ListenOptions,
  RuleDesk,
  ServerOptions,
} from './server-options.ts';
