import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface Place {
  /** The words typed so far as a path, such as `/eval/run`. Empty at the start. */
  readonly at: string;
  readonly words: readonly (readonly [word: string, description: string])[];
}

export function completionScript(shell: Shell, program: Command): string {
  const places = placesIn(program, '');
  return { bash, zsh, fish }[shell](places);
}

function placesIn(command: Command, at: string): Place[] {
  const inner = command.commands.map((one) => [one.name(), one.description()] as const);
  const flags = command.options.map((one) => [one.long ?? one.flags, one.description] as const);
  return [
    { at, words: [...inner, ...flags, ['--help', 'say what there is']] },
    ...command.commands.flatMap((one) => placesIn(one, `${at}/${one.name()}`)),
  ];
}

function known(places: readonly Place[], between: string): string {
  return places
    .filter(({ at }) => at !== '')
    .map(({ at }) => quoted(at))
    .join(between);
}

function bash(places: readonly Place[]): string {
  return `# proofmark completion bash >> ~/.bashrc
_proofmark() {
  local at='' word offered=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
      ${known(places, '|')}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${places.map(({ at, words }) => `    ${quoted(at)}) offered=${quoted(words.map(([word]) => word).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _proofmark proofmark
`;
}

function zsh(places: readonly Place[]): string {
  const zshWord = ([word, description]: readonly [string, string]) =>
    quoted(`${word}:${description.replaceAll(':', '\\:')}`);
  return `#compdef proofmark
# proofmark completion zsh >> ~/.zshrc, below compinit
_proofmark() {
  local at='' word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at/$word" in
      ${known(places, '|')}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${places.map(({ at, words }) => `    ${quoted(at)}) offered=(${words.map(zshWord).join(' ')}) ;;`).join('\n')}
  esac
  _describe 'proofmark' offered || _files
}
compdef _proofmark proofmark
`;
}

function fish(places: readonly Place[]): string {
  const line = (at: string, [word, description]: readonly [string, string]) => {
    const offered = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
    const condition = `__proofmark_at ${at === '' ? '/' : at}`;
    return `complete -c proofmark -n ${quoted(condition)} ${offered} -d ${fishQuoted(description)}`;
  };
  return `# proofmark completion fish > ~/.config/fish/completions/proofmark.fish
function __proofmark_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at/$word"
      case ${known(places, ' ')}
        set at "$at/$word"
    end
  end
  test "$at" = (string replace -r '^/$' '' -- $argv[1])
end
${places.flatMap(({ at, words }) => words.map((word) => line(at, word))).join('\n')}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
