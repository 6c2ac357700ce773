import type { DoctorFindings } from './doctor-report.ts';
import { type DoctorCheckName, type DoctorStatus, doctorChecks } from './doctor-words.ts';

/**
 * The stored result of a server's examination. It contains only fixed codes, since texts from
 * servers may contain addresses and secrets.
 */
export interface ServerHealth {
  readonly status: DoctorStatus;
  /**
   * The first check that did not pass. Null if all passed, or if the server required an OAuth grant
   * before any check.
   */
  readonly failedCheck: DoctorCheckName | null;
  readonly checkedAtMs: number;
}

export function healthOfServer(
  { status, checks }: Pick<DoctorFindings, 'status' | 'checks'>,
  checkedAtMs: number,
): ServerHealth {
  const failedCheck = doctorChecks.find((name) => checks[name].status === 'error') ?? null;
  return { status, failedCheck, checkedAtMs };
}

/** Returns whether tests of the server will fail until a person acts. */
export function isServerInTrouble({ status }: Pick<ServerHealth, 'status'>): boolean {
  return status === 'error' || status === 'oauth_required';
}

export const serverHealthWords: Readonly<Record<DoctorStatus, string>> = {
  ready: 'answers',
  partial: 'answers in part',
  oauth_required: 'needs an OAuth grant',
  error: 'does not answer',
};

/** Returns a sentence without full stop, to follow the server's name. */
export function serverHealthSentence({
  status,
  failedCheck,
}: Pick<ServerHealth, 'status' | 'failedCheck'>): string {
  if (status === 'ready') return 'answered every request';
  if (status === 'oauth_required') return 'requires an OAuth grant';
  return failedCheck === null ? 'did not answer as MCP requires' : failedWords[failedCheck];
}

const failedWords: Readonly<Record<DoctorCheckName, string>> = {
  probe: 'does not answer: nothing came back from its address',
  connection: 'does not answer as MCP: no session could be opened',
  initialization: 'does not answer as MCP: no protocol version could be agreed on',
  capabilities: 'did not state its capabilities',
  tools: 'could not list its tools',
  resources: 'could not list its resources',
  resourceTemplates: 'could not list its resource templates',
  prompts: 'could not list its prompts',
};
