import { type Theirs, theirs } from '@proofmark/domain';

export interface ConsoleLocation {
  /** No trailing slash. */
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
 * A plain URL becomes a link in every format. A URL with any other character is marked as text from
 * outside, which is escaped.
 */
export function address(url: string): string | Theirs {
  return /^https?:\/\/[A-Za-z0-9.:/%_-]+$/.test(url) ? url : theirs(url);
}

function encoded(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}
