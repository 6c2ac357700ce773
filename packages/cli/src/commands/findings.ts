import { type ApiClient, readAllPages } from '@proofmark/client';
import type { Command } from 'commander';
import { printJson, printLine } from '../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../remote/connection.ts';
import { exitCodes, UsageProblem } from '../remote/exit-codes.ts';
import { swarmFindingText } from '../remote/swarm-finding-text.ts';
import { terminalAbility } from '../remote/terminal.ts';

interface Flags extends ConnectionFlags {
  readonly all?: true;
  readonly dismiss?: string;
  readonly undismiss?: string;
  readonly json?: true;
}

export function findingsCommand(): Command {
  return remoteCommand('findings')
    .description('list the findings of journeys')
    .option('--all', 'also dismissed and resolved findings')
    .option('--dismiss <id>', 'hide a finding; counting continues')
    .option('--undismiss <id>', 'show a finding again')
    .option('--json', 'print JSON')
    .action((flags: Flags) => remotely(() => showFindings(flags)));
}

function none({ all }: Flags): string {
  const open = all
    ? 'No findings.'
    : 'No open findings; --all includes dismissed and resolved ones.';
  return `${open}\nRun a journey: proofmark journey run JOURNEY --wait`;
}

async function changeFinding(
  client: ApiClient,
  ids: { readonly projectId: string; readonly findingId: string },
  { dismiss, json }: Flags,
): Promise<void> {
  const state =
    dismiss === undefined
      ? await client.undismissSwarmFinding(ids)
      : await client.dismissSwarmFinding(ids);
  if (json) printJson(state);
  else printLine(`Finding ${state.id} is ${state.dismissed ? 'dismissed' : 'shown'}.`);
}

async function showFindings(flags: Flags): Promise<number> {
  if (flags.dismiss !== undefined && flags.undismiss !== undefined) {
    throw new UsageProblem('Give only one of --dismiss and --undismiss.');
  }
  const { client, projectId } = await connectToService(flags);
  const findingId = flags.dismiss ?? flags.undismiss;
  if (findingId !== undefined) {
    await changeFinding(client, { projectId, findingId }, flags);
    return exitCodes.passed;
  }
  const hidden = flags.all ? {} : ({ dismissed: 'false' } as const);
  const read = await readAllPages((page) =>
    client.listSwarmFindings({ projectId, ...hidden, ...page }),
  );
  const findings = flags.all ? read : read.filter(({ status }) => status !== 'resolved');
  if (flags.json) printJson(findings);
  else if (findings.length === 0) printLine(none(flags));
  else {
    const journeys = await readAllPages((page) => client.listJourneys({ projectId, ...page }));
    const names = new Map(journeys.map(({ id, name }) => [id, name]));
    const texts = findings.map((one) => swarmFindingText(one, names, terminalAbility()));
    printLine(texts.join('\n\n'));
  }
  return exitCodes.passed;
}
