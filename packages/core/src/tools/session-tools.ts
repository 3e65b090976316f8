/** The tool by which a model has its own conversation compressed; its session does that after the turn. */
export const COMPRESS_CONTEXT = 'compress_context';
