/**
 * Follows a run to its end. At a terminal, each case has a redrawn line; the first Ctrl+C asks
 * whether to cancel the run, and the second cancels it. Elsewhere, progress is printed in plain
 * lines, and Ctrl+C only ends the wait.
 */
import type { EventEmitter } from 'node:events';
import { type ApiClient, readPages } from '@proofmark/client';
import { cleanText } from '@proofmark/domain';
import { noticeLines, printNotice } from '../output.ts';
import { askBeforeCancel } from './ask-before-cancel.ts';
import { followRun, progressSentence, reportRunContinues } from './follow-run.ts';
import { liveLines } from './live-lines.ts';
import { redrawnOn } from './redrawn-lines.ts';
import { terminalAbility } from './terminal.ts';
import { whileNotInterrupted } from './while-not-interrupted.ts';

/**
 * The part of the API client that this code uses. A test without a service implements it in memory.
 */
interface WatchedRuns {
  readonly client: Pick<ApiClient, 'cancelEvalRun' | 'getEvalRun' | 'listEvalRunIterations'>;
  readonly projectId: string;
}

type Ended = Awaited<ReturnType<typeof followRun>>;

/**
 * Maximum number of pages to read. A run with more trials is shown by its counts instead of by
 * case.
 */
const mostPages = 2;
const trialsOfPage = 200;
const betweenReadsMs = 2_000;

export function isLive(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv) {
  return stream.isTTY === true && environment['TERM'] !== 'dumb' && !environment['CI'];
}

export interface Around {
  /** The name shown with the progress. Needed if several runs are followed one after another. */
  readonly name?: string;
  readonly signals?: Pick<EventEmitter, 'on' | 'removeListener'>;
}

export function watchRun(connection: WatchedRuns, runId: string): Promise<Ended> {
  if (isLive(process.stderr, process.env)) return watchLive(connection, runId);
  return whileNotInterrupted(followRun(connection, runId, printNotice), () =>
    reportRunContinues(runId, printNotice),
  );
}

export async function watchLive(
  connection: WatchedRuns,
  runId: string,
  { name, signals }: Around = {},
): Promise<Ended> {
  const { client, projectId } = connection;
  const screen = redrawnOn(
    (text) => process.stderr.write(text),
    () => process.stderr.columns,
  );
  const printAbove = (sentence: string) =>
    screen.above(`${noticeLines(sentence, process.stderr).join('\n')}\n`);
  // The last line of the screen already shows the progress, so progress sentences are not printed
  // above it.
  const reportUnlessProgress = (sentence: string) => {
    if (!/ done\.$|^waiting for/.test(sentence)) printAbove(sentence);
  };
  let readAtMs = Number.NEGATIVE_INFINITY;
  const drawTrials = async (sentence: string, isOver: boolean) => {
    readAtMs = performance.now();
    const { items, isAll } = await readTrialsToDraw(connection, runId);
    const { ascii, width } = terminalAbility(process.env, process.stderr.columns);
    const rows = Math.max(1, (process.stderr.rows ?? 24) - 3);
    const isColoured = !process.env['NO_COLOR'];
    const lines = isAll ? liveLines(items, { ascii, width, rows, isColoured }) : [];
    const called = name === undefined ? '' : `${cleanText(name, ascii)}: `;
    // At the end, the last line is empty, because the output that follows contains the numbers.
    screen.draw([...lines, isOver ? '' : `${called}${sentence}`]);
  };
  const following = followRun(connection, runId, reportUnlessProgress, {
    onRead: async (run) => {
      const isDue = performance.now() - readAtMs >= betweenReadsMs;
      // Drawing is optional: if the trials cannot be read, the run is still followed.
      if (isDue || run.completedAt !== null) {
        await drawTrials(progressSentence(run), run.completedAt !== null).catch(() => undefined);
      }
    },
  });
  const answers = {
    ask: () => printAbove('cancel the run? Press Ctrl+C again; otherwise it continues.'),
    cancel: async () => {
      printAbove('cancelling the run; what was measured so far is reported.');
      await client.cancelEvalRun({ projectId, runId });
    },
  };
  return askBeforeCancel(following, answers, signals);
}

/** `isAll` in the result is false for a run with too many trials. */
export function readTrialsToDraw({ client, projectId }: WatchedRuns, runId: string) {
  const asked = { projectId, runId, limit: trialsOfPage };
  return readPages((page) => client.listEvalRunIterations({ ...asked, ...page }), mostPages);
}
