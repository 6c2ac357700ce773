/**
 * Reports the results of a test run. It waits while the service limits requests, and never breaks
 * the reported run: failures are printed on standard error, and thrown only on request.
 */
import { type ApiClient, createApiClient } from './api-client.ts';
import type { ClientOptions } from './client-options.ts';
import { readAllPages } from './read-pages.ts';
import {
  type ReportedResult,
  type ReportedRunTerms,
  type SentReport,
  sendReport,
} from './send-report.ts';

export interface ReportResultsOptions {
  /** The name of the suite of the results; created if it does not exist. */
  readonly suite: string;
  readonly results: readonly ReportedResult[];
  /**
   * The address of the service. It and the key may be undefined if they come from an environment
   * without them, which is reported like any failure.
   */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  /** The id or name of the project (default: the Default project). */
  readonly project?: string | undefined;
  /**
   * The name of the run, so that it can be reported again after an interruption (default: each call
   * is a new run).
   */
  readonly runId?: string;
  /** Further facts of the run, for example its `ci`. */
  readonly terms?: ReportedRunTerms;
  /** Throws failures instead of printing them. */
  readonly failOnError?: boolean;
  /** The maximum wait of one request while the service limits requests (default: 15 minutes). */
  readonly mostWaitMs?: number;
  /** The maximum time for the answer to one request (default: one minute). */
  readonly requestTimeoutMs?: number;
  /** Prints sentences for people (default: on standard error). */
  readonly tell?: (sentence: string) => void;
  /** For tests. */
  readonly client?: Pick<ClientOptions, 'fetch' | 'sleep' | 'random' | 'maxRetries'>;
}

/** Returns undefined if the results could not be reported. */
export async function reportResults(
  options: ReportResultsOptions,
): Promise<SentReport | undefined> {
  const tell = options.tell ?? ((sentence: string) => console.error(`proofmark: ${sentence}`));
  try {
    return await report(options, tell);
  } catch (error) {
    if (options.failOnError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    tell(`the results were not reported. ${reason}`);
    return undefined;
  }
}

async function report(
  options: ReportResultsOptions,
  tell: (sentence: string) => void,
): Promise<SentReport> {
  const { url: baseUrl, apiKey } = options;
  if (!baseUrl || !apiKey) throw new Error('The address of the service or its API key is not set.');
  if (options.results.length === 0) throw new Error('There is no result to report.');
  const client = createApiClient({
    baseUrl,
    apiKey,
    maxRetries: 6,
    limitPatience: {
      mostMs: options.mostWaitMs ?? 15 * 60_000,
      onWait: (seconds) => tell(`the service limits requests; waiting ${seconds} s.`),
    },
    ...options.client,
    fetch: bounded(options.client?.fetch ?? globalThis.fetch, options.requestTimeoutMs ?? 60_000),
  });
  return sendReport(client, {
    projectId: await findProject(client, options.project),
    suiteName: options.suite,
    externalRunId: options.runId ?? `report-${globalThis.crypto.randomUUID()}`,
    results: options.results.map((result, at) => ({ externalIterationId: `${at}`, ...result })),
    ...(options.terms !== undefined && { terms: options.terms }),
  });
}

/**
 * Limits the time of each request, so that a service that never answers does not block the reported
 * test run.
 */
function bounded(fetch: typeof globalThis.fetch, milliseconds: number): typeof globalThis.fetch {
  return (url, request) => fetch(url, { ...request, signal: AbortSignal.timeout(milliseconds) });
}

async function findProject(client: ApiClient, wanted: string | undefined): Promise<string> {
  if (!wanted) return 'default';
  if (/^(prj_\w+|default)$/.test(wanted)) return wanted;
  const projects = await readAllPages((page) => client.listProjects(page));
  const named = projects.find(({ name }) => name === wanted);
  if (named === undefined) throw new Error(`There is no project ${JSON.stringify(wanted)}.`);
  return named.id;
}
