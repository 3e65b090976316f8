export { createServer, type Server } from './create-server.ts';
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
