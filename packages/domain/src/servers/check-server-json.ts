import { isRecord, type Json } from '../kernel/json.ts';
import type { LintSeverity } from '../surfaces/lint-rules.ts';
import { lastPart } from './published-server.ts';
import { ServerJson } from './server-json-shape.ts';

export type ServerJsonRule =
  | 'server-json-schema'
  | 'server-json-name'
  | 'server-json-version'
  | 'server-json-transport'
  | 'server-json-tools';

export interface ServerJsonFinding {
  readonly rule: ServerJsonRule;
  readonly severity: LintSeverity;
  /** A JSON pointer into the file. */
  readonly path: string;
  readonly message: string;
  readonly reason: string;
}

const texts: Readonly<Record<ServerJsonRule, { severity: LintSeverity; reason: string }>> = {
  'server-json-schema': {
    severity: 'error',
    reason: 'A registry rejects the file.',
  },
  'server-json-name': {
    severity: 'warn',
    reason: 'People who look for the server by one name do not find it by the other.',
  },
  'server-json-version': {
    severity: 'error',
    reason: 'The registry offers a version that people do not get.',
  },
  'server-json-transport': {
    severity: 'error',
    reason: 'Clients that follow the file cannot use the server.',
  },
  'server-json-tools': {
    severity: 'warn',
    reason: 'People choose a server by the tools that its file lists.',
  },
};

export interface SeenServer {
  readonly serverInfo: Json | null;
  readonly tools: readonly Json[];
}

export interface ServerJsonToCheck {
  readonly file: Json;
  /** The content of the `package.json` beside the file, if there is one. */
  readonly beside?: unknown;
  /** Absent if no stated transport answered, or none was tried. */
  readonly seen?: SeenServer | undefined;
  readonly failed?: readonly { readonly path: string; readonly message: string }[];
}

export function checkServerJson(checked: ServerJsonToCheck): ServerJsonFinding[] {
  return [
    ...schemaFindings(checked.file),
    ...nameFindings(checked),
    ...versionFindings(checked),
    ...(checked.failed ?? []).map(({ path, message }) =>
      finding('server-json-transport', path, message),
    ),
    ...toolFindings(checked),
  ];
}

function finding(rule: ServerJsonRule, path: string, message: string): ServerJsonFinding {
  return { rule, ...texts[rule], path, message };
}

function schemaFindings(file: Json): ServerJsonFinding[] {
  const { error } = ServerJson.safeParse(file);
  return (error?.issues ?? []).map(({ path, message }) =>
    finding('server-json-schema', path.map((part) => `/${String(part)}`).join(''), message),
  );
}

function nameFindings({ file, seen }: ServerJsonToCheck): ServerJsonFinding[] {
  const own = lastPart(file['name']);
  const stated = seen?.serverInfo?.['name'];
  if (own === '' || typeof stated !== 'string' || stated === own) return [];
  const message = `The name ends with ${JSON.stringify(own)}, but the server calls itself ${JSON.stringify(stated)}.`;
  return [finding('server-json-name', '/name', message)];
}

function versionFindings({ file, beside, seen }: ServerJsonToCheck): ServerJsonFinding[] {
  const { version } = file;
  if (typeof version !== 'string') return [];
  const differs = (other: unknown, path: string, subject: string) =>
    typeof other !== 'string' || other === version
      ? []
      : [
          finding(
            'server-json-version',
            path,
            `The version is ${version}, but ${subject} ${other}.`,
          ),
        ];
  const packages = Array.isArray(file['packages']) ? file['packages'] : [];
  const ofPackages = packages.flatMap((one: unknown, at) => {
    const path = `/packages/${at}/version`;
    if (!isRecord(one)) return [];
    const isOwn = isRecord(beside) && beside['name'] === one['identifier'];
    return [
      ...differs(one['version'], path, `that of the package ${String(one['identifier'])} is`),
      ...(isOwn ? differs(beside['version'], '/version', 'package.json has') : []),
    ];
  });
  return [
    ...ofPackages,
    ...differs(seen?.serverInfo?.['version'], '/version', 'the server says that it is'),
  ];
}

function toolFindings({ file, seen }: ServerJsonToCheck): ServerJsonFinding[] {
  if (seen === undefined) return [];
  const listed = new Set(seen.tools.map(({ name }) => String(name)));
  return toolsInMeta(file['_meta'], '/_meta', 0).flatMap(({ path, names }) => {
    const gone = names.filter((name) => !listed.has(name));
    const unnamed = [...listed].filter((name) => !names.includes(name));
    return [
      ...gone.map(
        (name) => `The file lists the tool ${JSON.stringify(name)}, the server does not.`,
      ),
      ...unnamed.map(
        (name) => `The server lists the tool ${JSON.stringify(name)}, the file does not.`,
      ),
    ].map((message) => finding('server-json-tools', path, message));
  });
}

const deepest = 4;

function toolsInMeta(
  value: unknown,
  path: string,
  depth: number,
): { readonly path: string; readonly names: readonly string[] }[] {
  if (!isRecord(value) || depth > deepest) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (key !== 'tools' || !Array.isArray(inner)) return toolsInMeta(inner, at, depth + 1);
    const names = inner.flatMap((tool: unknown) => {
      const name = isRecord(tool) ? tool['name'] : tool;
      return typeof name === 'string' ? [name] : [];
    });
    return [{ path: at, names }];
  });
}
