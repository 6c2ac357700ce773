/**
 * Reports the results of a test run. It waits while the service limits requests, and never breaks the run it reports:
 * what goes wrong is told on standard error, and thrown only if the caller asks for that.
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
  /** The suite that the results belong to; made if there is none of this name. */
  readonly suite: string;
  readonly results: readonly ReportedResult[];
  /** Where the service is. It and the key may come from an environment that lacks them, which is told as any failure. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  /** The id or name of the project; the Default project unless given. */
  readonly project?: string | undefined;
  /** Names the run, so that it may be reported again after it broke off. Each call is a run of its own unless given. */
  readonly runId?: string;
  /** What else is said of the run, its `ci` for example. */
  readonly terms?: ReportedRunTerms;
  /** Throw what goes wrong in place of telling it. */
  readonly failOnError?: boolean;
  /** How long one request may wait where the service limits them. Default 15 minutes. */
  readonly mostWaitMs?: number;
  /** How long the service may take for one request before it counts as not reached. Default one minute. */
  readonly requestTimeoutMs?: number;
  /** Where sentences for people go. Default: standard error. */
  readonly tell?: (sentence: string) => void;
  /** For tests. */
  readonly client?: Pick<ClientOptions, 'fetch' | 'sleep' | 'random' | 'maxRetries'>;
}

/** Answers with nothing if the results could not be reported. */
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

/** A service that takes requests and never answers must not hold the test run that is reported. */
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
