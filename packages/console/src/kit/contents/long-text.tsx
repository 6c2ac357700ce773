/** A text from a server. A very long text is cut, with a button that shows the rest. */
import { useState } from 'react';
import { Scrolling } from '../scrolling.tsx';

const shownCharacters = 4_000;

export function LongText(props: { text: string; plain?: boolean }) {
  const [all, setAll] = useState(false);
  const isCut = !all && props.text.length > shownCharacters;
  const shown = isCut ? props.text.slice(0, shownCharacters) : props.text;
  return (
    <>
      {props.plain ? (
        <p className="foreign-text">{shown}</p>
      ) : (
        <Scrolling label="Long text" className="foreign">
          {shown}
        </Scrolling>
      )}
      {isCut && (
        <p className="hint cut">
          {`The first ${count(shownCharacters)} of ${count(props.text.length)} characters. `}
          <button type="button" className="small" onClick={() => setAll(true)}>
            Show all
          </button>
        </p>
      )}
    </>
  );
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
