/**
 * Answers an operator's request from a terminal for the browser in which this worker renders
 * widgets.
 */
import { hostname } from 'node:os';
import type { WorkerDependencies } from '../../features/evals/work/worker-parts.ts';
import { lookAtBrowser } from '../../features/health/operations/look-at-browser.ts';
import type { BrowserOfWorker } from '../../features/health/operations/worst-browser.ts';
import { answerAsker } from '../../features/health/store/ask-workers.ts';

/** Longer than a browser needs when every way of starting it is tried. */
const longestBrowserStartMs = 120_000;

export async function tellOfBrowser(
  { database, log, widgets }: Pick<WorkerDependencies, 'database' | 'log' | 'widgets'>,
  channel: string,
): Promise<void> {
  try {
    const look = await lookAtBrowser(widgets, longestBrowserStartMs);
    const answer: BrowserOfWorker = { look, host: hostname(), processId: process.pid };
    await answerAsker(database.sql, channel, answer);
  } catch (error) {
    log.warn({ err: error }, 'what the browser is could not be told');
  }
}
