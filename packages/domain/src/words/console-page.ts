/** Where the console shows a run and a trial of it. */
import { type Theirs, theirs } from './say.ts';

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

/** As our own words, so that it can be followed, where it holds only signs that mean nothing else anywhere. */
export function address(url: string): string | Theirs {
  return /^https?:\/\/[A-Za-z0-9.:/%_-]+$/.test(url) ? url : theirs(url);
}

function encoded(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}
