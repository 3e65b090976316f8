export { createServer, type OpenPort, type Server } from './create-server.ts';
export type { Activity } from './watch-requests.ts';
export type {
  DashboardFiles,
  RuntimeServices,
  Lifecycle,
  LineQuestion,
  ListenOptions,
  ServedRules,
  ServerOptions,
} from './server-options.ts';
export { REQUEST_CODES, type RequestCode } from './request-codes.ts';
