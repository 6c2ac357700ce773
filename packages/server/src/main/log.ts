/** JSON lines to stderr. Redaction happens here, at the sink, on copies: live values are never touched. */
import { maskUrl } from '@proofmark/domain';
import pino from 'pino';
import type { Log } from '../platform/http/http-options.ts';

export function createLog(
  level: string,
  sink: { write(line: string): void } = pino.destination(2),
): Log {
  const destination = { write: (line: string) => sink.write(scrub(line)) };
  return pino(
    {
      level,
      base: { service: 'proofmark' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    destination,
  );
}

const secretFields = [
  'authorization',
  'cookie',
  'password',
  'token',
  'key',
  'clientSecret',
  'headers',
  'url',
];

/** Only what helps to find the fault; driver errors also carry statements and their parameters. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: scrub(error.message),
    ...(typeof code === 'string' && { code }),
    stack: scrub(error.stack ?? ''),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/**
 * Keys, bearer tokens, passwords inside URLs and what else of a URL may be secret, wherever a library put them into a text. Control
 * characters that JSON leaves as they are would still steer a terminal, so they go too.
 */
export function scrub(text: string): string {
  return text
    .replace(/[\u007f-\u009f\u2028\u2029]/g, ' ')
    .replace(/\bhttps?:\/\/[^\s"'<>\\]+/gi, (url) => maskUrl(url))
    .replace(/sk_[A-Za-z0-9]{8,}/g, 'sk_[redacted]')
    .replace(/\b(bearer|basic)\s+[^\s"',]+/gi, '$1 [redacted]')
    .replace(/(\/\/[^/\s:@"]*:)[^\s@"]+@/g, '$1[redacted]@')
    .replace(
      /\b((?:token|key|secret|code|password|\w+_token|\w+_secret)=)[^\s&"'\\]+/gi,
      '$1[redacted]',
    );
}
