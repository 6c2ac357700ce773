import { useState } from 'react';
import { CopyText } from '../../../kit/copy-text.tsx';
import type { AsCommands } from './as-commands.ts';

export function CommandChoice(props: AsCommands & { title: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="as-command"
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{props.title}</summary>
      {isOpen && (
        <>
          <CopyText block text={props.command} label="Copy as a command" />
          <CopyText block text={props.curl} label="Copy as curl" />
        </>
      )}
    </details>
  );
}
