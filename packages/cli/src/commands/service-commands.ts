/** Commands for who uses a service: they ask it over HTTP and need nothing of the server's code. */
import type { Command } from 'commander';
import { callCommand } from './call.ts';
import { completionCommand } from './completion.ts';
import { doctorCommand } from './doctor.ts';
import { evalCommand } from './eval.ts';
import { findingsCommand } from './findings.ts';
import { ingestCommand } from './ingest.ts';
import { journeyCommand } from './journey.ts';
import { loginCommand } from './login.ts';
import { logoutCommand } from './logout.ts';
import { mcpCommand } from './mcp.ts';
import { oauthGroup } from './oauth.ts';
import { personaCommand } from './persona.ts';
import { projectGroup } from './project.ts';
import { promptsCommand } from './prompts.ts';
import { readCommand } from './read.ts';
import { reportCommand } from './report.ts';
import { resourcesCommand } from './resources.ts';
import { scenarioCommand } from './scenario.ts';
import { serverGroup } from './server.ts';
import { suiteCommand } from './suite.ts';
import { swarmCommand } from './swarm.ts';
import { toolsCommand } from './tools.ts';
import { whoamiCommand } from './whoami.ts';

export function serviceCommands(): Command[] {
  return [
    loginCommand(),
    logoutCommand(),
    whoamiCommand(),
    projectGroup(),
    serverGroup(),
    doctorCommand(),
    toolsCommand(),
    callCommand(),
    promptsCommand(),
    resourcesCommand(),
    readCommand(),
    oauthGroup(),
    evalCommand(),
    suiteCommand(),
    ingestCommand(),
    reportCommand(),
    personaCommand(),
    journeyCommand(),
    swarmCommand(),
    findingsCommand(),
    scenarioCommand(),
    mcpCommand(),
    completionCommand(),
  ];
}
