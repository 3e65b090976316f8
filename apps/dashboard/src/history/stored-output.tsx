import { byteText, filteredText } from '@signalbox/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, refusalFrom } from '../api/client.ts';
import type { CommandView } from '@signalbox/api';
import { OutputView } from '../parts/output-view.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { answerText, printedText } from '../parts/result-text.ts';
import { SearchInOutput } from './output-search.tsx';

const PART_BYTES = 128 * 1024;
/** Shown before a matching line, in bytes. */
const BEFORE_MATCH = 4 * 1024;
/** Shorter outputs need no search. */
const SEARCHED_FROM = 2000;

/** A command's output, in parts: seeing the end, or finding a word, must not load 100 MB. */
export function StoredOutput({ command }: Readonly<{ command: CommandView }>) {
  const { result } = command;
  const [stream, setStream] = useState<'stdout' | 'stderr'>(
    result?.stdout === '' && result.stderr !== '' ? 'stderr' : 'stdout',
  );
  const [isModels, setModels] = useState(false);
  const [from, setFrom] = useState(0);
  const [wanted, setWanted] = useState('');
  const query = useQuery({
    queryKey: ['output', command.id, stream, from],
    queryFn: () => client.readOutput({ id: command.id, stream, from, length: PART_BYTES }),
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const part = query.data;
  const printed = printedText(result);
  return (
    <section className="detail-part">
      <div className="part-head">
        <h3>{printed === '' ? 'Answer' : 'Output'}</h3>
        {printed !== '' && (
          <div className="actions" role="group" aria-label="Which stream">
            {(['stdout', 'stderr'] as const).map((name) => (
              <button
                key={name}
                type="button"
                className="btn sm quiet"
                aria-pressed={!isModels && stream === name}
                onClick={() => {
                  setModels(false);
                  setStream(name);
                  setFrom(0);
                  setWanted('');
                }}
              >
                {name}
              </button>
            ))}
            {result?.filtered !== undefined && (
              <button
                type="button"
                className="btn sm quiet"
                aria-pressed={isModels}
                onClick={() => setModels(true)}
              >
                what the model read
              </button>
            )}
          </div>
        )}
      </div>
      {isModels && result?.filtered !== undefined && <p className="dim">{filteredText(result.filtered)}</p>}
      {!isModels && printed.length > SEARCHED_FROM && (
        <SearchInOutput
          key={stream}
          id={command.id}
          stream={stream}
          onFound={(text, { at }) => {
            setWanted(text);
            setFrom(Math.max(0, at - BEFORE_MATCH));
          }}
          onClear={() => setWanted('')}
        />
      )}
      {query.isError && <RefusalNote refusal={refusalFrom(query.error)} />}
      <OutputView
        text={isModels ? (result?.content ?? '') : printed === '' ? answerText(result) : (part?.text ?? '')}
        label={isModels ? 'Output: what the model read' : `Output: ${stream}`}
        follows={false}
        wanted={wanted}
      />
      {!isModels && part !== undefined && part.totalBytes > PART_BYTES && (
        <div className="actions">
          <span className="dim num spacer">
            {byteText(part.from)} to {byteText(part.to)} of {byteText(part.totalBytes)}
            {part.complete ? '' : '; the middle was not kept'}
          </span>
          <button
            type="button"
            className="btn sm"
            disabled={part.from === 0}
            onClick={() => setFrom(Math.max(0, part.from - PART_BYTES))}
          >
            Earlier
          </button>
          <button
            type="button"
            className="btn sm"
            disabled={part.to >= part.totalBytes}
            onClick={() => setFrom(part.to)}
          >
            Later
          </button>
          <button type="button" className="btn sm" onClick={() => setFrom(-PART_BYTES)}>
            End
          </button>
        </div>
      )}
    </section>
  );
}
