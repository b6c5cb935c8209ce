#ifndef GRANARY_PEOPLE_H
#define GRANARY_PEOPLE_H

/* What a context's work comes to when nothing is checked and nothing is kept in memory: prepared statements on the
   tables of an SQLite file that Granary made (ZADDRESS, ZDEPARTMENT, ZPERSON), each task in one transaction, with
   SQLite's own defaults. All return -1 when SQLite refuses something. */

struct floor_person {
    const char *name;
    const char *mail;
    const char *city;
    long long number;
    long long level;
    double salary;
    /* Seconds since 2001. */
    double hired;
    int is_active;
    /* From 0. */
    long long department;
};

/* Departments with the keys 1 to `departments`, then people from `first_key` on. Returns how many people. */
long floor_people_insert(
    const char *path, const struct floor_person *people, long count, long long first_key, long departments);

/* Raises the level and the salary of the people with the keys 1 to `count`. Returns `count`. */
long floor_people_update(const char *path, long count);

/* Gives each of the people an address of his own, in another order than theirs. Returns `count`. */
long floor_people_house(const char *path, long count);

/* The sum of level, post code and length of the street over all people: each address is looked up by its key, or all
   come with one join. */
long long floor_people_follow(const char *path, int joined);

#endif
