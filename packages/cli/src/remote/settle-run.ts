/** Prints how to follow a launched run. With `--wait`, follows the run and prints its decision. */
import type { OutputOf } from '@proofmark/contract';
import { gateOfDecision } from '@proofmark/report';
import { printJson, printLine, printNotice } from '../output.ts';
import type { Connection } from './connection.ts';
import { exitCodes } from './exit-codes.ts';
import { fetchDecision } from './fetch-decision.ts';
import { gateText } from './gate-text.ts';
import { printSpending } from './print-spending.ts';
import { terminalAbility } from './terminal.ts';
import { warningText } from './warning-text.ts';
import { watchRun } from './watch-run.ts';

export async function settleRun(
  connection: Connection,
  started: OutputOf<'createEvalRun'>,
  flags: { readonly wait?: true; readonly json?: true },
): Promise<number> {
  const { runId } = started;
  for (const warning of started.warnings) printNotice(warningText(warning));
  if (!flags.wait) {
    if (flags.json) printJson(started);
    else {
      printLine(`Run ${runId} has started.`);
      printLine(`Read it: proofmark eval decision ${runId}`);
    }
    return exitCodes.passed;
  }
  printNotice(`run ${runId} has started.`);
  return awaitRun(connection, runId, flags);
}

export async function awaitRun(
  connection: Connection,
  runId: string,
  flags: { readonly json?: true },
): Promise<number> {
  const ended = await watchRun(connection, runId);
  if (ended === undefined) return exitCodes.other;
  const decision = await fetchDecision(connection, runId, flags.json ? 'all' : 'first');
  if (flags.json) printJson(decision.summary);
  else {
    const text = { listsPassed: true, ...terminalAbility() };
    process.stdout.write(gateText(connection, decision, text));
  }
  printSpending(decision.run.spending);
  return gateOfDecision(decision).exitCode;
}
