/** The addresses of runs and trials in the console. */
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
 * Returns the address as plain text, so that it becomes a link, if it has only characters that are
 * harmless in every format; otherwise as foreign text.
 */
export function address(url: string): string | Theirs {
  return /^https?:\/\/[A-Za-z0-9.:/%_-]+$/.test(url) ? url : theirs(url);
}

function encoded(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}
