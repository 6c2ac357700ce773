/** Commands for who uses a service: they ask it over HTTP and need nothing of the server's code. */
import type { Command } from 'commander';
import { evalCommand } from './eval.ts';
import { findingsCommand } from './findings.ts';
import { journeyCommand } from './journey.ts';
import { mcpCommand } from './mcp.ts';
import { personaCommand } from './persona.ts';
import { scenarioCommand } from './scenario.ts';
import { suiteCommand } from './suite.ts';
import { swarmCommand } from './swarm.ts';

export function serviceCommands(): Command[] {
  return [
    evalCommand(),
    suiteCommand(),
    personaCommand(),
    journeyCommand(),
    swarmCommand(),
    findingsCommand(),
    scenarioCommand(),
    mcpCommand(),
  ];
}
