/** Where the console shows runs and trials. */
import { type Theirs, theirs } from '@proofmark/domain';

export interface ConsoleLocation {
  /** The address of the service, without a slash at its end. */
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

/** As our own words, so that it can be followed, where it holds only signs that mean nothing else anywhere. */
export function address(url: string): string | Theirs {
  return /^https?:\/\/[A-Za-z0-9.:/%_-]+$/.test(url) ? url : theirs(url);
}

function encoded(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}
