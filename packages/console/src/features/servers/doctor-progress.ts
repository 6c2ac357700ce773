/**
 * The progress of an examination. Checks run one after another and each is reported when it ends,
 * so the first check without a result is in progress.
 */
import type { DoctorReport } from '@proofmark/contract';
import {
  type DoctorCheckName,
  type DoctorStatus,
  doctorCheckStates,
  doctorChecks,
} from '@proofmark/domain';

type DoctorCheck = DoctorReport['checks'][DoctorCheckName];
export type KnownChecks = Readonly<Partial<Record<DoctorCheckName, DoctorCheck>>>;
export type CheckState = DoctorCheck['status'] | 'waiting' | 'running';

export interface CheckRow {
  readonly name: DoctorCheckName;
  readonly title: string;
  readonly state: CheckState;
  readonly detail: string;
  readonly check: DoctorCheck | undefined;
}

export function checkRows(known: KnownChecks, isRunning: boolean): CheckRow[] {
  const next = doctorChecks.find((name) => known[name] === undefined);
  return doctorChecks.map((name) => {
    const check = known[name];
    const { title, question } = checkWords[name];
    const state = check?.status ?? (isRunning && name === next ? 'running' : 'waiting');
    return { name, title, state, detail: check?.detail ?? question, check };
  });
}

export function withCheck(
  known: KnownChecks,
  progress: Readonly<Record<string, unknown>>,
): KnownChecks {
  const name = doctorChecks.find((one) => one === progress['check']);
  const status = doctorCheckStates.find((one) => one === progress['status']);
  if (name === undefined || status === undefined) return known;
  const { detail, durationMs, tried, advice } = progress;
  return {
    ...known,
    [name]: {
      status,
      detail: typeof detail === 'string' ? detail : '',
      ...(typeof durationMs === 'number' && { durationMs }),
      ...(typeof tried === 'string' && { tried }),
      ...(typeof advice === 'string' && { advice }),
    },
  };
}

const checkWords: Readonly<Record<DoctorCheckName, { title: string; question: string }>> = {
  probe: { title: 'Probe', question: 'Does anything answer at the address?' },
  connection: { title: 'Connection', question: 'Does it speak a transport of MCP?' },
  initialization: { title: 'Initialization', question: 'Do both sides agree on a protocol?' },
  capabilities: { title: 'Capabilities', question: 'Which capabilities does it state?' },
  tools: { title: 'Tools', question: 'Can its tools be listed?' },
  resources: { title: 'Resources', question: 'Can its resources be listed?' },
  resourceTemplates: {
    title: 'Resource templates',
    question: 'Can its resource templates be listed?',
  },
  prompts: { title: 'Prompts', question: 'Can its prompts be listed?' },
};

/** Only a measured problem counts as a failure. A check without a result does not. */
export function reportVerdict(report: DoctorReport): {
  readonly tone: 'pass' | 'hold' | 'fail';
  readonly word: string;
  readonly sentence: string;
} {
  const checks = Object.values(report.checks);
  const wrong = checks.filter(({ status }) => status === 'error').length;
  const passed = checks.filter(({ status }) => status === 'ok').length;
  return { ...statusWords[report.status], sentence: statusSentence(report.status, passed, wrong) };
}

const statusWords = {
  ready: { tone: 'pass', word: 'Ready' },
  partial: { tone: 'hold', word: 'Works in part' },
  oauth_required: { tone: 'hold', word: 'OAuth needed' },
  error: { tone: 'fail', word: 'Failed' },
} as const satisfies Record<DoctorStatus, { tone: string; word: string }>;

function statusSentence(status: DoctorStatus, passed: number, wrong: number): string {
  const all = doctorChecks.length;
  if (status === 'oauth_required') return 'the server requires an OAuth grant first.';
  if (wrong === 0) return `${passed} of ${all} checks passed, none failed.`;
  return `${wrong} of ${all} checks failed, ${passed} passed.`;
}
