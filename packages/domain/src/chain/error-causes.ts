/**
 * Causes that only a trial's error text states, since the stage chain has no reason for them. The
 * next action is found by matching these sentences at their start, since many end with a server's
 * text. Names are written as JSON strings, so that a server cannot fake where a name ends.
 */
import { advise } from '../doctor/advise.ts';
import { secondsText } from '../kernel/seconds-text.ts';
import type { FailureCategory } from './vocabulary.ts';

export function unlistedTool(toolName: string): string {
  return `The server does not list the tool ${JSON.stringify(toolName)}: correct the case, or the server if the tool was renamed.`;
}

export function unlistedPrompt(promptName: string): string {
  return `The server does not list the prompt ${JSON.stringify(promptName)}: correct the case, or the server if the prompt was renamed.`;
}

export function silentFor(timeoutMs: number): string {
  return `The server did not answer within ${secondsText(timeoutMs)}; raise \`timeout\` of the server to allow more time.`;
}

export const creditsUsedUp =
  'The credits of the organization were used up before this trial ended.';

export const creditsOfRunUsedUp = 'The run had used up its maxCredits before this trial ended.';

/**
 * Proofmark's other calls may have slowed the server, so the sentence does not call the tool slow.
 */
export function crowdedCall(toolName: string, timeoutMs: number, why: string): string {
  return `The call of ${JSON.stringify(toolName)} got no answer within ${secondsText(timeoutMs)} while the server was processing other calls from Proofmark; ${why}.`;
}

export function needsAbility(toolName: string, ability: string): string {
  return `The tool ${JSON.stringify(toolName)} needs ${ability} of its client, which the client of this run does not have.`;
}

export function needsRenderer(missing: string | undefined): string {
  const needs = 'The case needs a widget to be rendered, but widgets cannot be rendered here.';
  return missing === undefined ? needs : `${needs} ${missing}`;
}

/** A failure of Proofmark's own browser says nothing about the widget. */
export function browserLost(toolName: string, message: string): string {
  return `The browser of the service failed while it showed the widget of ${JSON.stringify(toolName)}: ${message}`;
}

interface KnownCause {
  readonly category: FailureCategory;
  readonly says: RegExp;
  readonly action: string;
}

const whyItEnded =
  'Find out why the program of the server ended: check its command, its arguments and its log.';

const causes: readonly KnownCause[] = [
  {
    category: 'serverData',
    says: /^The server does not list the tool /,
    action:
      'Correct the name of the tool in the case, or the server if the tool was renamed or left out.',
  },
  {
    category: 'serverData',
    says: /^The server does not list the prompt /,
    action:
      'Correct the name of the prompt in the case, or the server if the prompt was renamed or left out.',
  },
  {
    category: 'serverData',
    says: /^The prompt "(?:[^"\\]|\\.)*" (could not be rendered|rendered no text)/,
    action:
      'Ask the server for that prompt with the arguments of the case, and correct the one that is wrong.',
  },
  {
    category: 'serverData',
    says: /^The resource "(?:[^"\\]|\\.)*" could not be read/,
    action:
      'Compare the URI in the case with the resources that the server lists, and correct the one that is wrong.',
  },
  {
    category: 'evaluator',
    says: /^The trial could not be graded: A call of .* took \d+ ms, but Proofmark itself was paused /,
    action:
      'Rerun the trials that were not graded, with fewer trials at a time; this trial says nothing about the speed of the server.',
  },
  {
    category: 'setup',
    says: /^The before list of the (case|suite) failed at step "(?:[^"\\]|\\.)*", caused by the (case|suite): /,
    action: 'Correct the call of `before` that the error of this trial names.',
  },
  {
    category: 'setup',
    says: /^The before list of the (case|suite) failed at step "(?:[^"\\]|\\.)*", caused by the server: /,
    action:
      'Find out in the server why the named call of `before` got no usable result; nothing was tested.',
  },
  {
    category: 'setup',
    says: /^The credits of the organization were used up /,
    action: 'Ask the operator to raise creditsPerDay, or run the suite again tomorrow (UTC).',
  },
  {
    category: 'setup',
    says: /^The run had used up its maxCredits /,
    action: 'Launch the suite again with a greater maxCredits, or with fewer trials.',
  },
  {
    category: 'setup',
    says: /^The step "(?:[^"\\]|\\.)*" has an empty prompt/,
    action: 'Write the prompt of the step that the error of this trial names.',
  },
  {
    category: 'serverData',
    says: /^The widget of "(?:[^"\\]|\\.)*" was not rendered: its tool names no user interface/,
    action:
      'Make the tool name its widget by `resourceUri` in its `_meta`, or remove the widget steps from the case.',
  },
  {
    category: 'serverData',
    says: /^The widget of "(?:[^"\\]|\\.)*" was not rendered\. The widget did not report that it was ready/,
    action:
      'Make the widget send `ui/initialize` to its host when it loads, and `ui/notifications/initialized` after the answer; the console of the widget may show why it does not.',
  },
  {
    category: 'setup',
    says: /^The step "(?:[^"\\]|\\.)*" cannot be played: /,
    action: 'Correct the target or the key of the step that the error of this trial names.',
  },
  {
    category: 'setup',
    says: /^The case needs a widget to be rendered, /,
    action:
      'Ask the operator to make a Chromium available to trials, as the error says, then run again; this trial says nothing about the server.',
  },
  {
    category: 'setup',
    says: /^The browser of the service failed while it showed the widget of /,
    action:
      'Rerun the trials that were not graded, and ask the operator to check the browser if it happens again; this trial says nothing about the server.',
  },
  {
    category: 'setup',
    says: /^The call of "(?:[^"\\]|\\.)*" got no answer within [\d.]+ m?s while the server was processing other calls from Proofmark; /,
    action:
      'Run the case with fewer trials at a time, raise the `timeout` of the server, or annotate the tool with `readOnlyHint: true` if it only reads; this trial says nothing about the server.',
  },
  {
    category: 'setup',
    says: /^(The tool "(?:[^"\\]|\\.)*" needs elicitation by URL of its client, which|The server asks the user to open an address \(elicitation by URL\), (which the client|to which the case has no answer))/,
    action:
      'Add an answer with `mode: url` to `elicitations` of the case, which also declares this ability, or leave the case out; this trial says nothing about the server.',
  },
  {
    category: 'setup',
    says: /^The tool "(?:[^"\\]|\\.)*" needs .* of its client, which the client of this run does not have\.$/,
    action:
      'Use a client with `clientCapabilities` that declare what the tool needs, if Proofmark supports it, or leave the case out; this trial says nothing about the server.',
  },
  {
    category: 'setup',
    says: /The server sent more than [\d.,]+ \w+ in one message, the limit of Proofmark; /,
    action:
      'Raise `maxMessageMiB` of the saved server, or make the server send smaller answers; this trial says nothing about the server.',
  },
  {
    category: 'setup',
    says: /The server (sent|lists) (more than|JSON that is nested more than) [\d.,]+ [\w ]+, the limit of Proofmark/,
    action:
      'Make the server send smaller answers: Proofmark does not read an answer of this size, so the trial says nothing about the server.',
  },
  // This rule must come first: its sentence ends with arbitrary output of the program, which might
  // match the rules below.
  {
    category: 'setup',
    says: /The process of the server ended \([^)]*\) (before it answered|after its last answer, before it was asked again)\./,
    action: whyItEnded,
  },
  {
    category: 'serverData',
    says: /^The call of "(?:[^"\\]|\\.)*" got no result: The process of the server ended /,
    action: whyItEnded,
  },
  {
    category: 'setup',
    says: /The command of the server (does not exist|is not an absolute path)\./,
    action: advise({ code: 'SERVER_UNREACHABLE', reason: 'COMMAND_NOT_FOUND' }),
  },
  {
    category: 'setup',
    says: /The command of the server cannot be started /,
    action: advise({ code: 'SERVER_UNREACHABLE', reason: 'COMMAND_FAILED' }),
  },
  {
    category: 'setup',
    says: /^The call of "(?:[^"\\]|\\.)*" got no result: The server did not answer within [\d.]+ m?s;/,
    action:
      'Find the reason for the slow call in the server, or raise the `timeout` of the server.',
  },
  {
    category: 'setup',
    says: /^The call of "(?:[^"\\]|\\.)*" got no result: the step "(?:[^"\\]|\\.)*" allows [\d.]+ seconds?,/,
    action:
      'Find out what took the server so long in that call, or raise the `timeoutMs` of the step.',
  },
];

export function actionOfCause(category: FailureCategory, failure: string): string | undefined {
  return causes.find((one) => one.category === category && one.says.test(failure))?.action;
}

export const actionsOfCauses: readonly string[] = [...new Set(causes.map(({ action }) => action))];
