export interface Instruction {
  readonly name: string;
  readonly text: string;
  readonly list: string[];
}

export function readContainerfile(text: string): {
  readonly all: readonly Instruction[];
  readonly last: readonly Instruction[];
} {
  const lines = text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const all = lines.map((line) => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return { name, text: rest, list: rest.startsWith('[') ? (JSON.parse(rest) as string[]) : [] };
  });
  return { all, last: all.slice(all.findLastIndex(({ name }) => name === 'FROM')) };
}
