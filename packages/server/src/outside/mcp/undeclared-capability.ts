/**
 * Whether a call failed because the server wanted something of its client that was never declared. A server asks for
 * it and is refused, or says by a code of the protocol or in the words of the protocol libraries that it lacks it.
 */
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';

/** The name of the ability, of a call that ended in an error with this text. */
export function undeclaredCapability(connection: McpConnection, text: string): string | undefined {
  const [asked] = connection.lacked;
  if (asked !== undefined) return asked;
  const words = /client does not support (?:the )?(?:listing )?([a-z]+)(?: (elicitation))?/i.exec(
    text,
  );
  const named = words?.[1]?.toLowerCase();
  if (named === undefined) return undefined;
  const isUrl = named === 'url';
  if (/client does not support sampling tools/i.test(text)) return 'sampling with tools';
  const ability = words?.[2] === undefined ? named : 'elicitation';
  const declared = connection.initInfo.clientCapabilities[ability];
  if (isUrl) return 'elicitation by URL';
  return known.has(ability) && declared === undefined ? ability : undefined;
}

/** The failure, saying which ability is missing where one is. */
export function withMissingAbility(connection: McpConnection, error: unknown): unknown {
  if (!(error instanceof McpFailure)) return error;
  const { code, message, details } = error;
  if (details['missingAbility'] !== undefined) return error;
  const byCode = codes.get(details['mcpErrorCode'] as number);
  const isAnswer = details['mcpErrorCode'] !== undefined;
  const ability = byCode ?? (isAnswer ? undeclaredCapability(connection, message) : undefined);
  return ability === undefined
    ? error
    : new McpFailure(code, message, { ...details, missingAbility: ability });
}

const known: ReadonlySet<string> = new Set(['sampling', 'elicitation', 'roots', 'tasks']);
const codes: ReadonlyMap<number, string> = new Map([
  [-32042, 'elicitation by URL'],
  [-32021, 'an ability of the client'],
]);
