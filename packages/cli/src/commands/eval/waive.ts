import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { sentenceWrapper } from '../../remote/indented-lines.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { readExpiry } from '../../remote/waiver-expiry.ts';

interface Flags extends ConnectionFlags {
  readonly reason?: string;
  readonly expires: string;
  readonly revoke?: true;
  readonly json?: true;
}

export function evalWaiveCommand(): Command {
  const command = remoteCommand('waive')
    .description('waive the gate of a failing run for a time, or revoke the waiver')
    .argument('<run>', 'the id of the run')
    .option('--reason <text>', 'the reason; readers of the gate see it')
    .option('--expires <when>', 'when it ends: 12h, 7d, 2026-12-01; at most 30 days', '7d')
    .option('--revoke', 'end the waiver that is in force')
    .option('--json', 'print the answer as JSON')
    .action((runId: string, flags: Flags) => remotely(() => waive(runId, flags)));
  return withExamples(
    command,
    'proofmark eval waive run_1f3a --reason "The index is rebuilt" --expires 3d',
    'proofmark eval waive run_1f3a --revoke',
  );
}

async function waive(runId: string, flags: Flags): Promise<number> {
  const { reason } = flags;
  if (flags.revoke && reason !== undefined)
    throw new UsageProblem('Give only one of --reason and --revoke.');
  if (!flags.revoke && reason === undefined) {
    throw new UsageProblem(
      'Give the reason of the waiver with --reason TEXT, or end it with --revoke.',
    );
  }
  const expiresAt = readExpiry(flags.expires, Date.now());
  const { client, projectId } = await connectToService(flags);
  const print = (answer: unknown, sentence: string) => {
    if (flags.json) printJson(answer);
    else for (const line of sentenceWrapper(terminalAbility())(sentence)) printLine(line);
    return exitCodes.passed;
  };
  if (reason !== undefined) {
    const body = { reason, expiresAt };
    const made = await client.createGateWaiver({ projectId, runId, body });
    const until = new Date(made.waiver.expiresAt).toISOString().slice(0, 16).replace('T', ' ');
    return print(made, `Waived until ${until} UTC: run ${runId}.`);
  }
  const { waiver } = await client.getGateWaiver({ projectId, runId });
  if (waiver === null) return print({ waiver }, `No waiver is in force for run ${runId}.`);
  const revoked = await client.revokeGateWaiver({ projectId, runId, waiverId: waiver.id });
  return print(revoked, `The waiver of run ${runId} is revoked.`);
}
