/**
 * Finds the handler of a request in a tree of path segments. A literal segment takes precedence
 * over a parameter. If the literal branch has no handler for the path, the parameter branch is
 * tried. Paths are compared as written; only parameters are decoded.
 */
import type { Handler } from './request-exchange.ts';

export interface Route {
  readonly handler: Handler;
  readonly parameters: Readonly<Record<string, string>>;
}

interface RouteNode {
  readonly literals: Map<string, RouteNode>;
  parameter: RouteNode | undefined;
  readonly handlers: Map<string, { readonly handler: Handler; readonly names: readonly string[] }>;
}

export class Routes {
  readonly #root = newNode();

  /** Adds a handler; parameters in `path` are in braces. */
  add(method: string, path: string, handler: Handler): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) {
        const next = node.literals.get(segment) ?? newNode();
        node.literals.set(segment, next);
        node = next;
      } else {
        names.push(name);
        node.parameter ??= newNode();
        node = node.parameter;
      }
    }
    node.handlers.set(method, { handler, names });
  }

  find(method: string, path: string): Route | undefined {
    const values: string[] = [];
    const found = walk(this.#root, path.split('/'), 1, method, values);
    if (found === undefined) return undefined;
    const parameters: Record<string, string> = {};
    found.names.forEach((name, at) => {
      parameters[name] = decoded(values[at] as string);
    });
    return { handler: found.handler, parameters };
  }
}

function newNode(): RouteNode {
  return { literals: new Map(), parameter: undefined, handlers: new Map() };
}

function walk(
  node: RouteNode,
  segments: readonly string[],
  at: number,
  method: string,
  values: string[],
): { readonly handler: Handler; readonly names: readonly string[] } | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.handlers.get(method);
  const literal = node.literals.get(segment);
  const found = literal && walk(literal, segments, at + 1, method, values);
  if (found !== undefined || node.parameter === undefined || segment === '') return found;
  values.push(segment);
  const taken = walk(node.parameter, segments, at + 1, method, values);
  if (taken === undefined) values.pop();
  return taken;
}

/**
 * Decodes a segment. Text with an invalid encoding is returned unchanged; it cannot be an id
 * anyway.
 */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
