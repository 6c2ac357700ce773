/**
 * `proofmark/scripted-user-1`: a user who sends the goal's intents (single requests) one after
 * another, in the voice of the persona. It only checks whether an answer reports a failure, says
 * that no tool fits, asks a question, or answers. The assistant's text can therefore at most end
 * the conversation.
 */
import { promptStyles, type Voice, type VoiceName } from '../drafting/prompt-styles.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { intentsOfGoal, quotedText } from './intents-of-goal.ts';
import type { PersonaWords } from './persona.ts';

export const scriptedUserId = 'proofmark/scripted-user-1';

export interface ScriptedIntent {
  readonly text: string;
  readonly state: 'open' | 'done' | 'givenUp';
}

export interface ScriptState {
  readonly intents: readonly ScriptedIntent[];
  /**
   * `failures`, `questions` and `leftToJudgement` are about the current intent: failed answers,
   * questions of the assistant, and whether the user answered "Use your best judgement".
   */
  readonly failures: number;
  readonly questions: number;
  readonly leftToJudgement: boolean;
  readonly stated: readonly string[];
}

export interface UserToScript {
  readonly persona: PersonaWords;
  readonly goal: string;
  readonly sessionIndex: number;
  /** Null before the first message of the user. */
  readonly state: ScriptState | null;
  /** The assistant's latest text; null before the user's first message. */
  readonly lastAnswer: string | null;
}

export interface ScriptedWords {
  /** The user's next message; empty if the session ends. */
  readonly message: string;
  readonly endSession: boolean;
  readonly state: ScriptState;
}

export function nextWords(user: UserToScript, sha256Hex: (text: string) => string): ScriptedWords {
  const { goal, state, lastAnswer } = user;
  if (state === null) {
    const intents = intentsOfGoal(goal).map((text) => ({ text, state: 'open' as const }));
    return sendOpenIntent(user, { ...freshCounts, intents, stated: [] }, sha256Hex);
  }
  switch (readAnswer(lastAnswer ?? '')) {
    case 'answered':
      return sendOpenIntent(user, settle(state, 'done'), sha256Hex);
    case 'failed': {
      const failures = state.failures + 1;
      if (failures > 1) return sendOpenIntent(user, settle(state, 'givenUp'), sha256Hex);
      return withMessage(openIntent(state)?.text ?? '', { ...state, failures });
    }
    case 'asked':
      return reply(user, state, lastAnswer ?? '', sha256Hex);
  }
}

/** Classifies the assistant's text. An empty text counts as a failure. */
function readAnswer(answer: string): 'answered' | 'failed' | 'asked' {
  const text = answer.trim();
  const hasFailed = text.startsWith('The tool ') && text.includes(' failed');
  if (text === '' || hasFailed || saysNoToolFits(text)) return 'failed';
  return text.endsWith('?') ? 'asked' : 'answered';
}

export function saysNoToolFits(answer: string): boolean {
  return wordsForNoTool.has(answer.trim());
}

const wordsForNoTool = new Set([
  'No listed tool fits this request.',
  'There is no tool to call.',
  'No tool may be called here.',
]);

const mostReplies = 2;

function reply(
  user: UserToScript,
  state: ScriptState,
  question: string,
  sha256Hex: (text: string) => string,
): ScriptedWords {
  const questions = state.questions + 1;
  const giveUp = () => sendOpenIntent(user, settle(state, 'givenUp'), sha256Hex);
  if (questions > mostReplies) return giveUp();
  const value =
    namedValue([user.goal, user.persona.notes ?? ''], question) ??
    valuesOf(user.goal).find((one) => !state.stated.includes(one));
  if (value !== undefined)
    return withMessage(value, { ...state, questions, stated: [...state.stated, value] });
  if (state.leftToJudgement) return giveUp();
  return withMessage('Use your best judgement.', { ...state, questions, leftToJudgement: true });
}

/**
 * Sends the next open intent, after a line in the persona's voice. Ends the session if no intent is
 * open or the user gave up on the last two.
 */
function sendOpenIntent(
  { persona, goal, sessionIndex }: UserToScript,
  state: ScriptState,
  sha256Hex: (text: string) => string,
): ScriptedWords {
  const at = state.intents.findIndex((intent) => intent.state === 'open');
  const before = state.intents.slice(Math.max(0, at - 2), Math.max(0, at));
  const isHopeless = before.length === 2 && before.every((intent) => intent.state === 'givenUp');
  const intent = state.intents[at];
  if (intent === undefined || isHopeless) return { message: '', endSession: true, state };
  const { openers, followUps } = voiceOf(persona);
  const lines = at === 0 ? openers : followUps;
  const hash = Number.parseInt(sha256Hex(canonicalJson([persona.name, goal])).slice(0, 8), 16);
  return withMessage(`${lines[(hash + sessionIndex) % lines.length]} ${intent.text}`, state);
}

const freshCounts = { failures: 0, questions: 0, leftToJudgement: false };

function openIntent(state: ScriptState): ScriptedIntent | undefined {
  return state.intents.find((intent) => intent.state === 'open');
}

function settle(state: ScriptState, outcome: 'done' | 'givenUp'): ScriptState {
  const settled = openIntent(state);
  const intents = state.intents.map((one) => (one === settled ? { ...one, state: outcome } : one));
  return { ...freshCounts, intents, stated: state.stated };
}

function withMessage(message: string, state: ScriptState): ScriptedWords {
  return { message, endSession: false, state };
}

function voiceOf({ role, notes }: PersonaWords): Voice {
  const words = `${role} ${notes ?? ''}`.toLowerCase().match(/\p{L}+(?:-\p{L}+)*/gu) ?? [];
  const named = wordsOfVoices.find(([, keys]) =>
    words.some((word) => keys.some((key) => isFormOf(word, key))),
  );
  return promptStyles[named?.[0] ?? 'plain'];
}

const wordsOfVoices: readonly (readonly [VoiceName, readonly string[]])[] = [
  ['terse', ['busy', 'impatient', 'short', 'executive']],
  ['novice', ['new', 'first', 'beginner', 'non-technical']],
  ['thorough', ['careful', 'detail', 'audit']],
  ['expert', ['engineer', 'developer', 'admin']],
];

/**
 * Whether a word equals a keyword or begins with a keyword of at least five letters. `auditor`
 * matches `audit`, but `news` does not match `new`.
 */
function isFormOf(word: string, key: string): boolean {
  return word === key || (key.length > 4 && word.startsWith(key));
}

/**
 * Returns the value that the assistant asks for, from the goal or the persona's notes. The name
 * before the value must occur in the question: `city: Oslo`, `the city is Oslo`, `city=Oslo`.
 */
function namedValue(texts: readonly string[], question: string): string | undefined {
  const asked = new Set(wordsOf(question));
  for (const text of texts) {
    for (const { groups } of text.matchAll(namedPattern)) {
      const name = groups?.['name']?.toLowerCase() ?? '';
      const value = withoutQuotes(groups?.['value'] ?? '');
      if (value !== '' && asked.has(name) && !pointingWords.has(name)) return value;
    }
  }
  return undefined;
}

function valuesOf(goal: string): string[] {
  const taken: { readonly at: number; readonly value: string }[] = [];
  let rest = goal;
  for (const pattern of [quotedText, datePattern, numberPattern]) {
    rest = rest.replaceAll(pattern, (found, ...more) => {
      const at = more.find((one): one is number => typeof one === 'number') ?? 0;
      taken.push({ at, value: withoutQuotes(found) });
      return ' '.repeat(found.length);
    });
  }
  return taken.sort((one, other) => one.at - other.at).map(({ value }) => value);
}

const namedPattern =
  /(?<name>[\p{L}_][\p{L}\p{N}_-]*)(?:\s*[:=]\s*|\s+is\s+)(?!\/\/)(?<value>"[^"\n]+"|“[^”\n]+”|(?:(?!\.(?:\s|$))[^,;\n]){1,200})/gu;

const datePattern = /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g;

const numberPattern = /(?<![\p{L}\p{N}_])-?\d+(?:[.,]\d+)*(?![\p{L}\p{N}_])/gu;

/** Words before `is` that do not name a value, as in "this is …". */
const pointingWords = new Set(
  'he here how i it she that there they this what when where which who why you'.split(' '),
);

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [];
}

function withoutQuotes(text: string): string {
  const trimmed = text.trim();
  return /^(?:"[^"]*"|“[^”]*”|«[^»]*»|`[^`]*`|'[^']*')$/u.test(trimmed)
    ? trimmed.slice(1, -1).trim()
    : trimmed;
}
