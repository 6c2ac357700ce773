/** Commands that call a service over HTTP and so need none of the server's code. */
import type { CommandLoaders } from '../run.ts';

export const serviceCommands: CommandLoaders = {
  login: async () => (await import('./login.ts')).loginCommand(),
  logout: async () => (await import('./logout.ts')).logoutCommand(),
  whoami: async () => (await import('./whoami.ts')).whoamiCommand(),
  project: async () => (await import('./project.ts')).projectGroup(),
  server: async () => (await import('./server.ts')).serverGroup(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  tools: async () => (await import('./tools.ts')).toolsCommand(),
  call: async () => (await import('./call.ts')).callCommand(),
  prompts: async () => (await import('./prompts.ts')).promptsCommand(),
  resources: async () => (await import('./resources.ts')).resourcesCommand(),
  read: async () => (await import('./read.ts')).readCommand(),
  oauth: async () => (await import('./oauth.ts')).oauthGroup(),
  eval: async () => (await import('./eval.ts')).evalCommand(),
  suite: async () => (await import('./suite.ts')).suiteCommand(),
  ingest: async () => (await import('./ingest.ts')).ingestCommand(),
  badge: async () => (await import('./badge.ts')).badgeCommand(),
  report: async () => (await import('./report.ts')).reportCommand(),
  persona: async () => (await import('./persona.ts')).personaCommand(),
  journey: async () => (await import('./journey.ts')).journeyCommand(),
  swarm: async () => (await import('./swarm.ts')).swarmCommand(),
  findings: async () => (await import('./findings.ts')).findingsCommand(),
  scenario: async () => (await import('./scenario.ts')).scenarioCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(),
};
