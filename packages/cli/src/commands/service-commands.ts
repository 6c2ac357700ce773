/** Commands for who uses a service: they ask it over HTTP and need nothing of the server's code. */
import type { Command } from 'commander';
import { callCommand } from './call.ts';
import { doctorCommand } from './doctor.ts';
import { evalCommand } from './eval.ts';
import { findingsCommand } from './findings.ts';
import { ingestCommand } from './ingest.ts';
import { journeyCommand } from './journey.ts';
import { mcpCommand } from './mcp.ts';
import { personaCommand } from './persona.ts';
import { promptsCommand } from './prompts.ts';
import { readCommand } from './read.ts';
import { reportCommand } from './report.ts';
import { resourcesCommand } from './resources.ts';
import { scenarioCommand } from './scenario.ts';
import { serverGroup } from './server.ts';
import { suiteCommand } from './suite.ts';
import { swarmCommand } from './swarm.ts';
import { toolsCommand } from './tools.ts';

export function serviceCommands(): Command[] {
  return [
    serverGroup(),
    doctorCommand(),
    toolsCommand(),
    callCommand(),
    promptsCommand(),
    resourcesCommand(),
    readCommand(),
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
  ];
}
