import type { LedgerKind, LimitName } from '@proofmark/domain';

export const limitWords: Readonly<Record<LimitName, string>> = {
  credits: 'Credits',
  trialsPerDay: 'Trials',
  insightsPerDay: 'Insights',
  generationsPerDay: 'Drafts',
  agentTurnsPerDay: 'Agent turns',
  journeyRunsPerDay: 'Journey runs',
  uploadBytesPerDay: 'Uploads',
  storedBytes: 'Stored',
  openRuns: 'Runs at a time',
};

export const ledgerKindWords: Readonly<Record<LedgerKind, string>> = {
  trial_step: 'Trials',
  judge: 'Judges',
  host_step: 'Assistants in sessions',
  persona_turn: 'Simulated users',
  insights: 'Insights',
  generation: 'Drafts',
  agent_step: 'Agent',
  visitor_turn: 'Visitors',
  chat_turn: 'Playground',
  provider_test: 'Tests of providers',
};

export function knownWord(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}
