// The rule: no file of the repository reveals the machine where it was written or the registry of
// its packages. The check searches for home folders and registry hosts. Names in examples belong
// under example.com or in a path relative to the clone.
import { listFiles, readText } from './source-tree.ts';

const traces: readonly { what: string; pattern: RegExp }[] = [
  { what: "a person's folder", pattern: /(?<![\w.})-])\/(?:home|Users)\/[A-Za-z][\w.-]*/ },
  { what: "root's folder", pattern: /(?<![\w.})*-])\/root(?=\/|["'`\s:,)]|$)/m },
  { what: 'a workspace folder', pattern: /(?<![\w.})*-])\/work\/(?:main|shared)\b/ },
  {
    what: 'a registry host',
    pattern:
      /\bregistry\.(?:npmjs|yarnpkg|npmmirror)\.[a-z]+|\bnpm\.pkg\.github\.com|\/\/[\w.-]*\b(?:registry|artifactory|verdaccio|nexus)[\w-]*\.[\w.-]+/,
  },
  { what: 'a registry setting', pattern: /^\s*(?:@[\w-]+:)?registry\s*=\s*\S/m },
  { what: 'an address in the lockfile', pattern: /"resolved": "(?:https?|git\+\w+):/ },
];

export function checkMachineTraces(root: string): string[] {
  return listFiles(root).flatMap((file) => {
    const text = readText(root, file);
    if (text.includes('\0')) return [];
    return traces.flatMap(({ what, pattern }) => {
      const found = pattern.exec(text);
      if (found === null) return [];
      const line = text.slice(0, found.index).split('\n').length;
      return [`${file}:${line} names ${what}`];
    });
  });
}
