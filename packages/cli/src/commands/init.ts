/** `proofmark init`: writes a first suite file, drafted from a server's tools. */
import { existsSync, writeFileSync } from 'node:fs';
import { count, type DraftTool, firstSuiteText, type Json, toolToDraft } from '@proofmark/domain';
import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printJson, printLine } from '../output.ts';
import { type Connection, remotely } from '../remote/connection.ts';
import { exitCodes, UsageProblem } from '../remote/exit-codes.ts';
import { isLink } from '../trust/is-outside-folder.ts';
import { chosenServers, type ServerFlags, withServerFlags } from './test/chosen-servers.ts';
import {
  type OwnService,
  openService,
  refuseProgram,
  type ServiceFlags,
  withSettingsFlag,
} from './test/open-service.ts';
import { serverSaver } from './test/saved-servers.ts';
import { serversFoundHere } from './test/server-choice.ts';
import { untilInterrupted } from './test/until-interrupted.ts';

interface Flags extends ServerFlags, ServiceFlags {
  readonly force?: true;
  readonly json?: true;
}

export function initCommand(own?: OwnService): Command {
  const command = withServerFlags(
    new Command('init')
      .description('write a first suite file from the tools of a server')
      .argument(
        '[file]',
        'the file to write (default: NAME.suite.yaml, with the name of the server)',
      ),
  )
    .option('--force', 'overwrite an existing file')
    .option('--url <url>', 'address of a service (default: PROOFMARK_URL, or this folder)')
    .option('--project <id or name>', 'the project (default: PROOFMARK_PROJECT, or the only one)')
    .option('--json', 'print the result as JSON')
    .action((file: string | undefined, flags: Flags) => remotely(() => init(file, flags, own)));
  if (own !== undefined) withSettingsFlag(command);
  return withExamples(
    command,
    'proofmark init --server-command "node server.js"',
    'proofmark init --server http://127.0.0.1:8080/mcp weather.suite.yaml',
    'proofmark init --from .vscode/mcp.json --server-name weather',
  );
}

async function init(
  named: string | undefined,
  flags: Flags,
  own: OwnService | undefined,
): Promise<number> {
  refuseProgram(flags, own);
  const given = await chosenServers(flags);
  const chosen = given ?? (own === undefined ? undefined : await serversFoundHere(flags));
  if (chosen === undefined) {
    throw new UsageProblem(
      'Name the server: --server-command "node server.js", --server URL or --from mcp.json.',
    );
  }
  const { only } = chosen;
  if (only === undefined) {
    throw new UsageProblem(`Name the server with --server-name: ${chosen.names.join(', ')}.`);
  }
  const file = named ?? `${only.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}.suite.yaml`;
  if (existsSync(file) && !flags.force) {
    throw new UsageProblem(`${file} exists; overwrite it with --force.`);
  }
  if (isLink(file))
    throw new UsageProblem(`${file} is a link, which init does not follow; remove it.`);
  await chosen.agree(only);
  return untilInterrupted(async ({ code }) => {
    const opened = await openService({ ...flags, isTyped: chosen.isTyped }, own);
    try {
      const draft = async () => {
        const serverId = await serverSaver(opened, chosen)(only);
        const tools = await listTools(opened.connection, serverId, only);
        const model = 'proofmark/lexical-1';
        const text = firstSuiteText({ serverName: only, tools, model });
        writeFileSync(file, text, { flag: flags.force ? 'w' : 'wx' });
        chosen.remember(file);
        if (flags.json) printJson({ file, server: only, tools: tools.length });
        else {
          printLine(`Wrote ${file} from ${count(tools.length, 'tool')} of ${only}.`);
          printLine(`Run it: proofmark test ${file}`);
        }
        return exitCodes.passed;
      };
      return await Promise.race([draft(), code]);
    } finally {
      await opened.stop();
    }
  }, own?.stopAtOnce);
}

async function listTools(
  { client, projectId }: Connection,
  serverId: string,
  serverName: string,
): Promise<DraftTool[]> {
  const tools: DraftTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const body = cursor === undefined ? {} : { cursor };
    const listed = await client.listTools({ projectId, serverId, body });
    tools.push(...listed.items.map((tool) => toolToDraft(serverName, tool as Json)));
    if (listed.nextCursor === undefined || listed.nextCursor === null) break;
    cursor = listed.nextCursor;
  }
  if (tools.length > 0) return tools;
  throw new Error(`${serverName} lists no tools, so there is nothing to test yet.`);
}

const mostPages = 100;
