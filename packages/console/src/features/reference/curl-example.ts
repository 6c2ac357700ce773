import type { DocumentedSchema, Schemas } from '../../kit/schemas/api-document.ts';
import { alternativesOf, resolveSchema } from '../../kit/schemas/resolve-schema.ts';

export function curlExample(
  method: string,
  url: string,
  body: DocumentedSchema | undefined,
  schemas: Schemas,
): string {
  const address = url.replace(/\{(\w+)\}/g, (_, name: string) => `$${environmentName(name)}`);
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"${address}"`];
  lines.push('-H "Authorization: Bearer $PROOFMARK_API_KEY"');
  if (body !== undefined) {
    const json = JSON.stringify(exampleValue(body, schemas, 0));
    lines.push('-H "Content-Type: application/json"', `-d '${json.replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}

/**
 * Converts a name such as `projectId` to the shell variable `PROJECT_ID`, which the reader sets
 * once.
 */
function environmentName(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
}

function exampleValue(schema: DocumentedSchema, schemas: Schemas, depth: number): unknown {
  const resolved = resolveSchema(schema, schemas);
  const [first] = alternativesOf(resolved, schemas);
  if (first !== undefined) return exampleValue(first, schemas, depth + 1);
  if (resolved.const !== undefined) return resolved.const;
  if (resolved.default !== undefined) return resolved.default;
  if (resolved.enum !== undefined) return resolved.enum[0];
  const type = typeof resolved.type === 'string' ? resolved.type : resolved.type?.[0];
  if (type === 'object') return exampleObject(resolved, schemas, depth);
  if (type === 'array') return [];
  if (type === 'integer' || type === 'number') return resolved.minimum ?? 1;
  if (type === 'boolean') return true;
  return resolved.format === 'uri' ? 'https://example.com/mcp' : 'example';
}

function exampleObject(schema: DocumentedSchema, schemas: Schemas, depth: number): unknown {
  const all = Object.entries(schema.properties ?? {});
  const required = all.filter(([name]) => schema.required?.includes(name));
  // An edit requires no field but must change something, so its first field is the example.
  const chosen = required.length > 0 || depth > 0 ? required : all.slice(0, 1);
  if (depth > 4) return {};
  return Object.fromEntries(
    chosen.map(([name, value]) => [name, exampleValue(value, schemas, depth + 1)]),
  );
}
