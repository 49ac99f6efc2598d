/**
 * Whether merchant `m` of a cell is served by it. One that has moved stays in its old cell until it is forgotten there,
 * and one that arrives is not served yet: what spans merchants would count both twice.
 */
export const SERVED_HERE = `m.state in ('open', 'closing')`;

/**
 * The books that a cell has and does not serve. They are few, and `not in` leaves the plan of a large table as it is: a
 * join could begin with the books and read all that each of them ever had.
 */
export const BOOKS_NOT_SERVED = `(
  select b.id from books b
  join merchants m on m.id = b.merchant_id
  where not (${SERVED_HERE})
)`;
