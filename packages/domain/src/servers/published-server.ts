/**
 * Reads the one server that a published package describes: the `server.json` of the MCP registry, or
 * a `package.json` with a `bin`. The result is an entry as in the configuration file of an MCP
 * client, so the same rules fill in its variables and ask for permission to start it.
 */
import { isRecord, type Json } from '../kernel/json.ts';

export interface NamedEntry {
  readonly name: string;
  readonly entry: Json;
}

export type PublishedServer = NamedEntry | { readonly problem: string };

/** The environment decides only whether an optional value is passed on, never what is started. */
type Environment = Readonly<Record<string, string | undefined>>;

export function isServerJson(file: unknown): file is Json {
  return isRecord(file) && (Array.isArray(file['packages']) || Array.isArray(file['remotes']));
}

/** `beside`: the content of the `package.json` in the same folder, if there is one. */
export function serverOfServerJson(
  file: Json,
  beside: unknown,
  environment: Environment,
): PublishedServer {
  const [first] = transportsOfServerJson(file, beside, environment);
  if (first !== undefined) return first;
  return {
    problem:
      'names no server that Proofmark can use; it needs a remote with an http address, or an npm package.',
  };
}

/** `path` is the JSON pointer to the part of the file that states the server. */
export interface StatedTransport extends NamedEntry {
  readonly path: string;
}

/** Returns every transport of the file that can be used here, remote ones first. */
export function transportsOfServerJson(
  file: Json,
  beside: unknown,
  environment: Environment,
): StatedTransport[] {
  const name = lastPart(file['name']) || 'server';
  return [
    ...recordsIn(file['remotes']).map(({ value, at }) => ({
      entry: entryOfRemote(value, environment),
      path: `/remotes/${at}`,
    })),
    ...recordsIn(file['packages']).map(({ value, at }) => ({
      entry: entryOfPackage(value, beside, environment),
      path: `/packages/${at}`,
    })),
  ].flatMap(({ entry, path }) => (entry === undefined ? [] : [{ name, entry, path }]));
}

/** Returns the part after the last slash: `weather` for `io.github.ann/weather`. */
export function lastPart(name: unknown): string {
  return typeof name === 'string' ? (name.split('/').at(-1) ?? '') : '';
}

export function serverOfPackageJson(file: unknown): PublishedServer {
  const script = isRecord(file) ? scriptOf(file) : undefined;
  if (script !== undefined) return { name: script.name, entry: startOf(script.path) };
  const names = isRecord(file) && isRecord(file['bin']) ? Object.keys(file['bin']) : [];
  return {
    problem:
      names.length > 1
        ? `has several programs under bin (${names.join(', ')}), none with the name of the package.`
        : 'starts no program, because it has no bin.',
  };
}

/** Returns the package's only program, or the program that has the same name as the package. */
function scriptOf({ name, bin }: Json): { name: string; path: string } | undefined {
  const own = lastPart(name);
  if (typeof bin === 'string') return { name: own || 'server', path: bin };
  const all = Object.entries(isRecord(bin) ? bin : {}).flatMap(([key, path]) =>
    typeof path === 'string' ? [{ name: key, path }] : [],
  );
  return all.length === 1 ? all[0] : all.find((one) => one.name === own);
}

function startOf(path: string, more: readonly string[] = [], env: Json = {}): Json {
  return { command: 'node', args: [path, ...more], ...(Object.keys(env).length > 0 && { env }) };
}

function entryOfRemote(remote: Json, environment: Environment): Json | undefined {
  const { url, headers } = remote;
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return undefined;
  const sent = namedValues(headers, environment);
  return { url: filledIn(url, remote), ...(Object.keys(sent).length > 0 && { headers: sent }) };
}

/**
 * If `package.json` beside the file belongs to the npm package, the package's own `bin` is started,
 * so that the local code is tested. Any other package is fetched by npx.
 */
function entryOfPackage(stated: Json, beside: unknown, environment: Environment): Json | undefined {
  const { registryType, identifier, version, transport } = stated;
  const isNpm = registryType === 'npm' && typeof identifier === 'string';
  const isStdio = !isRecord(transport) || transport['type'] === 'stdio';
  if (!isNpm || !isStdio) return undefined;
  const args = argumentsIn(stated['packageArguments'], environment);
  const env = namedValues(stated['environmentVariables'], environment);
  const own = isRecord(beside) && beside['name'] === identifier ? scriptOf(beside) : undefined;
  if (own !== undefined) return startOf(own.path, args, env);
  const wanted = typeof version === 'string' ? `${identifier}@${version}` : identifier;
  const ofNpx = argumentsIn(stated['runtimeArguments'], environment).filter((one) => one !== '-y');
  return {
    command: 'npx',
    args: ['-y', ...ofNpx, wanted, ...args],
    ...(Object.keys(env).length > 0 && { env }),
  };
}

function namedValues(stated: unknown, environment: Environment): Record<string, string> {
  const pairs = recordsIn(stated).flatMap(({ value: one }) => {
    const { name } = one;
    if (typeof name !== 'string') return [];
    const value = chosenValue(one, variableOf(name), environment);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

function argumentsIn(stated: unknown, environment: Environment): string[] {
  return recordsIn(stated).flatMap(({ value: one }) => {
    const { type, name, valueHint, isRequired } = one;
    const isNamed = type === 'named' && typeof name === 'string';
    const variable = variableOf(String(isNamed ? name : (valueHint ?? '')));
    const isFlag = isNamed && one['value'] === undefined && one['default'] === undefined;
    if (isFlag) return isRequired === true ? [name] : [];
    const value = chosenValue(one, variable, environment);
    if (value === undefined) return [];
    return isNamed ? [name, value] : [value];
  });
}

/**
 * Returns the environment variable for a header or an argument: `X-Api-Key` becomes `X_API_KEY`.
 */
function variableOf(name: string): string {
  if (/^\w+$/.test(name)) return name;
  return name.replace(/^\W+/, '').replaceAll(/\W+/g, '_').toUpperCase();
}

/**
 * Returns the stated value, else a reference to the environment if the variable is set there, else
 * the default. A required value without any of them stays a reference, which is reported as not set.
 */
function chosenValue(one: Json, variable: string, environment: Environment): string | undefined {
  if (typeof one['value'] === 'string') return filledIn(one['value'], one);
  if (environment[variable] !== undefined) return `\${env:${variable}}`;
  if (typeof one['default'] === 'string') return filledIn(one['default'], one);
  return one['isRequired'] === true ? `\${env:${variable}}` : undefined;
}

/**
 * Fills in a template such as `Bearer {token}` with the variable's stated value, or else from the
 * environment.
 */
function filledIn(text: string, { variables }: Json): string {
  const stated = isRecord(variables) ? variables : {};
  return text.replaceAll(/(?<!\$)\{(\w+)\}/g, (_, name: string) => {
    const variable = stated[name];
    const value = isRecord(variable) ? (variable['value'] ?? variable['default']) : undefined;
    return typeof value === 'string' ? value : `\${env:${name}}`;
  });
}

function recordsIn(list: unknown): { readonly value: Json; readonly at: number }[] {
  return (Array.isArray(list) ? list : []).flatMap((value: unknown, at) =>
    isRecord(value) ? [{ value, at }] : [],
  );
}
