/** The tool by which a model has its own conversation compressed; its session does that after the turn. */
export const COMPRESS_CONTEXT = 'compress_context';
/** The tool by which a model asks a person: its command waits like one that needs approval, and the answer is its result. */
export const ASK_PERSON = 'ask_person';
