/**
 * Interprets the answer to a sample call. A server may rightly refuse invented values, such as an
 * unknown book id; the case is then left out. A crash is no rightful refusal. An error about types,
 * enum values or missing arguments is none either, since the tool's own schema allows the sample.
 */
import { saysCrash } from '../../assertions/says-crash.ts';
import { saysOutsideSchema } from '../../assertions/says-outside-schema.ts';
import { replaceSecrets } from '../../assertions/secret-shapes.ts';
import { isRecord, type Json } from '../../kernel/json.ts';
import { markText } from '../../recordings/redaction-marks.ts';
import { cleanText } from '../../words/clean-text.ts';

export interface SampleCall {
  readonly toolName: string;
  readonly arguments: Json;
}

/**
 * `failed`: the tool answered with an error, or the server refused the call. `broken`: the
 * connection ended, or the result breaks the output schema. `late`: no answer within the time.
 */
export interface SampleAnswer extends SampleCall {
  readonly outcome: 'answered' | 'failed' | 'broken' | 'late';
  readonly message?: string;
}

export function sampleAnswerOf(call: SampleCall, result: Json): SampleAnswer {
  const { isError, content, outputCheck } = result;
  if (isError === true) return { ...call, outcome: 'failed', message: textIn(content) };
  const isBroken = isRecord(outputCheck) && outputCheck['state'] === 'invalid';
  return { ...call, outcome: isBroken ? 'broken' : 'answered' };
}

function textIn(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks
    .flatMap((block) =>
      isRecord(block) && typeof block['text'] === 'string' ? [block['text']] : [],
    )
    .join('\n');
}

/** Returns why the tool may refuse the sample call; undefined if the tool must answer it. */
export function whySampleRefused(answer: SampleAnswer | undefined): string | undefined {
  if (answer === undefined || answer.outcome === 'answered' || answer.outcome === 'broken')
    return undefined;
  if (answer.outcome === 'late') return 'it gave no answer to a sample call in time';
  const { message = '' } = answer;
  if (message.trim() === '' || saysCrash([message], answer.arguments)) return undefined;
  if (saysOutsideSchema(message) || saysMissing.test(message)) return undefined;
  if (deniesTool(message, answer.toolName)) return undefined;
  const line = replaceSecrets(
    cleanText(message.trim().split('\n')[0] ?? '', false),
    () => markText,
  );
  const shownLine = line.length > longestQuoted ? `${line.slice(0, longestQuoted - 1)}…` : line;
  return `it refused the sample: ${shownLine}`;
}

const longestQuoted = 100;

const saysMissing =
  /\bfield required\b|missing (?:\d+ )?(?:a )?(?:required|positional) (?:positional )?(?:argument|parameter|propert|field)|(?:argument|parameter|property|field)s? (?:['"`]?[\w.-]+['"`]? )?(?:is|are) (?:required|missing)|must have required property/i;

function deniesTool(message: string, toolName: string): boolean {
  const about = ['unknown tool', 'tool not found', 'no such tool', 'not a known tool'];
  const lowered = message.toLowerCase().replaceAll(/["'`]/g, '');
  const name = toolName.toLowerCase();
  return (
    about.some((text) => lowered.includes(text) && lowered.includes(name)) ||
    lowered.includes(`tool ${name} not found`) ||
    lowered.includes(`tool ${name} is not found`) ||
    lowered.includes(`tool ${name} does not exist`)
  );
}
