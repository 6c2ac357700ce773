/**
 * Finds the capability that made a request fail because the client does not declare it. The server
 * is not blamed for such a failure. It is a capability that the server requested and we rejected,
 * one that the error requires by its data, or one that the text of the error names in the form that
 * protocol libraries use.
 */
import { type Json, missingCapability, missingCapabilityCode } from '@proofmark/domain';
import { McpFailure } from './mcp-failure.ts';

/** What a client declares, and what it rejected because it does not declare it. */
export interface DeclaredAbilities {
  readonly declared: Json;
  readonly lacked: ReadonlySet<string>;
}

export function undeclaredCapability(
  { declared, lacked }: DeclaredAbilities,
  text: string,
): string | undefined {
  const [asked] = lacked;
  if (asked !== undefined) return asked;
  const words = /client does not support (?:the )?(?:listing )?([a-z]+)(?: (elicitation))?/i.exec(
    text,
  );
  const named = words?.[1]?.toLowerCase();
  if (named === undefined) return undefined;
  const isUrl = named === 'url';
  if (/client does not support sampling tools/i.test(text)) return 'sampling with tools';
  const ability = words?.[2] === undefined ? named : 'elicitation';
  if (isUrl) return 'elicitation by URL';
  return known.has(ability) && declared[ability] === undefined ? ability : undefined;
}

/** Returns the error unchanged if no capability is missing. */
export function withMissingAbility(abilities: DeclaredAbilities, error: unknown): unknown {
  if (!(error instanceof McpFailure)) return error;
  const { code, message, answered } = error;
  const { requiredCapabilities, ...details } = error.details;
  if (details['missingAbility'] !== undefined) return error;
  const ability = abilityOf(abilities, error, requiredCapabilities);
  if (ability === undefined && requiredCapabilities === undefined) return error;
  const named = { ...details, ...(ability !== undefined && { missingAbility: ability }) };
  return new McpFailure(code, message, named, answered);
}

function abilityOf(
  abilities: DeclaredAbilities,
  { message, details }: McpFailure,
  required: unknown,
): string | undefined {
  const mcpErrorCode = details['mcpErrorCode'];
  if (mcpErrorCode === missingCapabilityCode)
    return missingCapability(required, abilities.declared);
  if (mcpErrorCode === urlRequiredCode) return 'elicitation by URL';
  return mcpErrorCode === undefined ? undefined : undeclaredCapability(abilities, message);
}

const known: ReadonlySet<string> = new Set(['sampling', 'elicitation', 'roots', 'tasks']);
const urlRequiredCode = -32042;
