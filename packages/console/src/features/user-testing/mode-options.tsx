import { scenarioModes } from '@proofmark/domain';
import type { ControlProps } from '../../kit/field.tsx';
import { type Mode, modeWords } from './link-words.ts';

export function ModeOptions(props: {
  control: ControlProps;
  mode: Mode;
  onChange: (mode: Mode) => void;
}) {
  return (
    <select
      {...props.control}
      value={props.mode}
      onChange={(event) => props.onChange(event.target.value as Mode)}
    >
      {scenarioModes.map((mode) => (
        <option key={mode} value={mode}>
          {modeWords[mode]}
        </option>
      ))}
    </select>
  );
}
