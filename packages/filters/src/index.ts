export { BUILT_IN_FILTERS } from './built-in/built-in-filters.ts';
export { checkFilters, filterNames } from './check-filters.ts';
export { createOutputFilter, type OutputFilterOptions } from './create-output-filter.ts';
export type { Filter } from './filter.ts';
export type { FilterResult } from './filter-text.ts';
export type { BoundedRegex, CommandMatcher, CompileRegex } from './match/command-matcher.ts';
