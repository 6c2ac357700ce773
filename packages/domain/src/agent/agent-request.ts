/**
 * The input of one turn of the agent. Sizes are counted in bytes of UTF-8, as in other programs.
 */
export const agentRoles = ['user', 'assistant'] as const;

export interface AgentMessage {
  readonly role: (typeof agentRoles)[number];
  readonly content: string;
}

export const agentBounds = {
  messages: 50,
  contentBytes: 8_192,
  allContentBytes: 98_304,
  /** The number of model answers in one turn. */
  steps: 16,
  /**
   * The number of calls that a model may request in one answer; each may read a page of the
   * project.
   */
  callsPerStep: 100,
  /** The size of one result, as the model gets it. */
  resultCharacters: 24_000,
  /**
   * The size of all results of a turn. Each further answer of the model is charged for all of them.
   */
  turnCharacters: 384_000,
  /** The number of suites that one turn may create. */
  suites: 5,
  turnMs: 90_000,
  /** The number of concurrent turns of an organization, over all processes. */
  turnsAtOnce: 4,
  /** Longer than a turn, so that a running turn always holds its slot. */
  slotMs: 100_000,
} as const;

export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else bytes += code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** The reply of the agent to an empty request. */
export const askWhatIsWanted = 'What would you like me to look up, or which suite shall I create?';
