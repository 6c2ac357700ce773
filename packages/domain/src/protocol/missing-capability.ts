/**
 * Names what a server requires of its client, from the `requiredCapabilities` of its error.
 * Capabilities that the client declares are left out.
 */
import { isRecord, type Json } from '../kernel/json.ts';

/**
 * Returns a name for the missing capabilities. Undefined if the client declares everything that the
 * error names: the server is then wrong.
 */
export function missingCapability(required: unknown, declared: Json): string | undefined {
  if (!isRecord(required) || Object.keys(required).length === 0) return unnamedCapability;
  const names = Object.entries(required).flatMap(([name, wanted]) => {
    const has = declared[name];
    if (has === undefined && name !== 'extensions') return [shown(name, wanted)];
    return partsMissing(name, wanted, isRecord(has) ? has : {});
  });
  return names.length === 0 ? undefined : names.slice(0, mostNames).join(' and ');
}

export const unnamedCapability = 'an ability of the client';

function shown(name: string, wanted: unknown): string {
  const [part, ...others] = isRecord(wanted) ? Object.keys(wanted) : [];
  return part === undefined || others.length > 0 ? short(name) : partName(name, part);
}

function partsMissing(name: string, wanted: unknown, declared: Json): string[] {
  const parts = isRecord(wanted) ? Object.keys(wanted) : [];
  // An elicitation capability without a mode means forms.
  const hasForms = name === 'elicitation' && Object.keys(declared).length === 0;
  const isDeclared = (part: string) =>
    declared[part] !== undefined || (part === 'form' && hasForms);
  return parts.filter((part) => !isDeclared(part)).map((part) => partName(name, part));
}

function partName(name: string, part: string): string {
  if (name === 'extensions') return `the extension ${short(part)}`;
  if (name === 'elicitation') return part === 'url' ? 'elicitation by URL' : 'elicitation';
  return `${short(name)} with ${short(part)}`;
}

function short(name: string): string {
  return name.slice(0, longestName);
}

const mostNames = 3;
const longestName = 100;
