import { pointerPart } from '../assertions/json-pointer.ts';
import { isRecord, type Json } from '../kernel/json.ts';

export interface ToolParameter {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
  /** A JSON pointer into the tool. */
  readonly path: string;
}

export function toolParameters(tool: Json): ToolParameter[] {
  const schema = isRecord(tool['inputSchema']) ? tool['inputSchema'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return propertiesOf(schema).map(([name, own]) => ({
    name,
    schema: isRecord(own) ? own : {},
    isRequired: required.has(name),
    path: `/inputSchema/properties/${pointerPart(name)}`,
  }));
}

export function propertiesOf(schema: Json): [string, unknown][] {
  const { properties } = schema;
  return isRecord(properties) ? Object.entries(properties) : [];
}
