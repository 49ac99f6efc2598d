-- What an operator says of our account is "reported", as in callbacks: one word for one thing.
alter table route_floats rename column tells_balance to reports_balance;
