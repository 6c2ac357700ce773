/** URLs of runs and trials in the console. */
import { type Theirs, theirs } from '@proofmark/domain';

export interface ConsoleLocation {
  /** The address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly projectId: string;
}

export function runPage({ baseUrl, projectId }: ConsoleLocation, runId: string): string {
  return `${baseUrl}/projects/${encoded(projectId)}/runs/${encoded(runId)}`;
}

export function trialPage(location: ConsoleLocation, runId: string, trialId: string): string {
  return `${runPage(location, runId)}/trials/${encoded(trialId)}`;
}

export function journeyRunPage({ baseUrl, projectId }: ConsoleLocation, runId: string): string {
  return `${baseUrl}/projects/${encoded(projectId)}/journey-runs/${encoded(runId)}`;
}

/**
 * Returns the URL as plain text, which becomes a link, if its characters are harmless in every
 * format. Otherwise it is marked as foreign text.
 */
export function address(url: string): string | Theirs {
  return /^https?:\/\/[A-Za-z0-9.:/%_-]+$/.test(url) ? url : theirs(url);
}

function encoded(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}
