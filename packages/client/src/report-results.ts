/**
 * Sends the results of a test run to the service. A failure never breaks the test run: it is
 * printed on standard error, and thrown only if `failOnError` is set.
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
  /** Name of the suite. It is created if it does not exist. */
  readonly suite: string;
  readonly results: readonly ReportedResult[];
  /**
   * Address of the service. Address and key may be undefined, for example if environment variables
   * are missing. The report then fails like for any other reason.
   */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  /** The id or name of the project (default: the project called Default). */
  readonly project?: string | undefined;
  /**
   * Id of the run. An interrupted report can be sent again with the same id (default: every call is
   * a new run).
   */
  readonly runId?: string;
  /** Further fields of the run, such as the CI job in `ci`. */
  readonly terms?: ReportedRunTerms;
  readonly failOnError?: boolean;
  /** Maximum milliseconds that one request waits because of rate limits (default: 15 minutes). */
  readonly mostWaitMs?: number;
  /** Maximum milliseconds until the response to one request (default: one minute). */
  readonly requestTimeoutMs?: number;
  /** Prints messages for people (default: on standard error). */
  readonly tell?: (sentence: string) => void;
  readonly client?: Pick<ClientOptions, 'fetch' | 'sleep' | 'random' | 'maxRetries'>;
}

/** Returns undefined if reporting failed. */
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
  if (options.results.length === 0) throw new Error('There are no results to report.');
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
 * Adds a time limit to each request, so that an unresponsive service does not block the test run.
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
